"""The two doors to the outside, disk and process: nothing else opens a file or starts a program."""

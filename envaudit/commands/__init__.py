"""One file a command: read, think, act where the command may, and return a Report."""

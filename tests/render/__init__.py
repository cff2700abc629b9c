"""The output formats, all on the same sample reports."""

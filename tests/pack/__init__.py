"""The built-in pack: every incident is flagged, every trap stays quiet, real data is clean."""

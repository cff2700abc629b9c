"""How fast envaudit is, as ratios; run by hand, never by a test."""

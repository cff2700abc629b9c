"""The kit keeps its promises: what it builds is what installers and readers find."""

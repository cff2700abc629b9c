"""The only code that changes anything outside of scratch folders."""

"""The promises that imports and source text can prove, each proved to catch a planted violation."""

"""From labelled turns to the weights that ship with the package. Not part of it."""

"""The notebook: what Steno knows as pages of Markdown that people read and edit. Pure: text in, text and edits out."""

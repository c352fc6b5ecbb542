"""The one place that knows words: sentences, clauses, what a word is kin to, and the cues people speak with. Pure."""

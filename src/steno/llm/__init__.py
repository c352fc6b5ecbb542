"""The user's own language model, if they named one. Importing this room is cheap: libraries are imported when used."""

from steno.llm.base import Model, Question, Reply, Response, Used

__all__ = ["Model", "Question", "Reply", "Response", "Used"]

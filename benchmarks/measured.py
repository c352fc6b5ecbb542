"""A benchmark that measured nothing fails: its figures would look like any others."""


def measured(**counts: float) -> None:
    """End with a sentence and code 1 if something the figures are about was not there. Underscores are spaces."""
    if missing := [name.replace("_", " ") for name, count in counts.items() if count <= 0]:
        raise SystemExit(f"this benchmark measured nothing: no {', no '.join(missing)}")

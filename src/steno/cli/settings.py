"""`steno settings`: what may be chosen, what is in force, and where it came from."""

import os
from typing import TYPE_CHECKING, Any

import click

from steno.cli.show import json_option, print_json, say

if TYPE_CHECKING:
    from steno.settings import Chosen


@click.command(short_help="List the settings and where each value came from.")
@json_option
def settings(as_json: bool) -> None:
    """List the settings. Set one in settings.toml in STENO_HOME, or as STENO_NAME in the environment."""
    from steno.settings import SETTINGS, Settings, home_of
    from steno.vocabulary.errors import BadSetting

    try:  # not through the front desk: a setting must be seen also when the store cannot be opened
        found = Settings(home_of(os.environ), os.environ)
    except BadSetting as error:
        names = ", ".join(setting.name for setting in SETTINGS)
        raise BadSetting(error.message, hint=f"the settings are {names}") from error
    if as_json:
        print_json(*map(_flat, found.all()))
        return
    say(("file  ", "dim"), str(found.file), "" if found.file.exists() else " (not there yet)")
    for chosen in found.all():
        _print(chosen)


def _flat(chosen: "Chosen") -> dict[str, Any]:
    setting = chosen.setting
    return {
        "name": setting.name,
        "value": _shown(chosen),
        "default": setting.default,
        "origin": chosen.origin,
        "help": setting.help,
    }


def _print(chosen: "Chosen") -> None:
    setting = chosen.setting
    changed = "" if chosen.origin == "default" else f"  (from the {chosen.origin}; default {_toml(setting.default)})"
    say()
    say((setting.name, "bold"), f" = {_toml(_shown(chosen))}", (changed, "yellow"))
    say((f"  {setting.help}", "dim"))


def _shown(chosen: "Chosen") -> Any:
    """The value, unless it is a key: a list of settings is soon pasted somewhere."""
    return "***" if chosen.setting.name.endswith("_key") and chosen.value else chosen.value


def _toml(value: Any) -> str:
    """A value as it is written in settings.toml."""
    import json

    return json.dumps(value, ensure_ascii=False)

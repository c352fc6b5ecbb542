"""The real clients as the model that makes better notes: one question, and nothing is left behind."""

import json
import sys

from steno.doors.install.model import command_of

from .machine import ClaudeCode, Client, Machine
from .model import Model, Say

ASK = """
import json, steno
from steno.llm import Question
question = Question("read", "Be brief.", "Which colour is the sky?", {"type": "object"})
with steno.open() as memory:
    reply = memory.spending.ask(question, session_id=None, project="/shop", agent=None)
print(json.dumps(reply.value))
"""


def test_a_host_answers_a_question_without_tools_and_leaves_no_session_behind(
    client: Client, machine: Machine, model: Model
) -> None:
    machine.steno("install", client.name, "--yes")
    model.when("which colour", Say('{"colour": "blue"}'))
    login = client._model if isinstance(client, ClaudeCode) else {"STAND_IN_KEY": "fake"}
    command = command_of(client.name, machine.environment)
    budget = {"STENO_MODEL": f"command:{command}", "STENO_MODEL_TOKENS_A_DAY": "90000"}
    answered = machine.run([sys.executable, "-c", ASK], **login, **budget)
    assert json.loads(answered.stdout) == {"colour": "blue"}
    # Codex keeps one that asks the person in front of it, and nobody is.
    assert [set(asked.tools) - {"request_user_input"} for asked in model.asked] == [set()]
    machine.steno("capture", "--all")
    assert machine.rows("sessions", "--everywhere") == []
    assert not list(machine.home.rglob("*.jsonl"))

-- What can be done here.

-- name: capabilities
-- All of them, by name; or those that are seen from a project: its own, those of no project, and an agent's own.
SELECT name, command, kind, about, owner, project, health, checked_at, passed, said FROM capabilities
WHERE :project IS NULL OR project IS NULL OR project = :project OR owner = :agent
ORDER BY name;

-- name: capabilities_of
-- What an agent may do in some projects: its own, and what is nobody's there or belongs to no project. People's first,
-- then the agent's own, what failed and what was checked before what was not.
SELECT name, command, kind, about, owner, project, health, checked_at, passed, said FROM capabilities
WHERE owner = :agent
   OR (owner IS NULL AND (project IS NULL OR project IN (SELECT value FROM json_each(:projects))))
ORDER BY kind <> 'told', owner IS NULL, passed IS NULL, passed, name;

-- name: failed_capabilities
-- How many of those people told of failed their last check; what a scan found may need a program nobody misses.
SELECT count(*) FROM capabilities WHERE kind = 'told' AND passed = 0;

-- name: put_capability
-- One that was found or told. Found again it keeps its owner and its check, unless its command is another one.
INSERT INTO capabilities (name, command, kind, about, owner, project, health)
VALUES (:name, :command, :kind, :about, :owner, :project, :health)
ON CONFLICT (name) DO UPDATE SET
  command = excluded.command, kind = excluded.kind, about = excluded.about, project = excluded.project,
  owner = coalesce(excluded.owner, owner), health = excluded.health,
  checked_at = iif(command = excluded.command AND health IS excluded.health, checked_at, NULL),
  passed = iif(command = excluded.command AND health IS excluded.health, passed, NULL),
  said = iif(command = excluded.command AND health IS excluded.health, said, '');

-- name: drop_capability
-- It is not there any more, or not wanted.
DELETE FROM capabilities WHERE name = ?1;

-- name: check_capability
-- How a check went.
UPDATE capabilities SET checked_at = ?1, passed = ?2, said = ?3 WHERE name = ?4;

-- name: erase_capabilities_with
-- Those that hold the text.
DELETE FROM capabilities WHERE instr(concat_ws(' ', name, command, about, owner, project, health, said), :text);

-- name: capability_words
-- Words and names in them.
SELECT name, name, command, about, owner, project, health, said FROM capabilities;

-- name: rewrite_capability
-- New patterns found a secret in them.
UPDATE OR REPLACE capabilities SET name = :name, command = :command, about = :about, owner = :owner,
  project = :project, health = :health, said = :said WHERE name = :id;

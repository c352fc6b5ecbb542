-- Why: with thousands of sessions in a project the scribe compared each new entry with all others and folded all rules
-- after every session, and every capture looked at all transcripts. Entries and rules that may be alike are looked up by
-- keys now, and what changed since the last fold is written down. Entries of an older store get their keys when the
-- scribe next works; its rules are folded anew.

CREATE TABLE entry_keys (
  key    INTEGER NOT NULL,
  number INTEGER NOT NULL REFERENCES entries (number) ON DELETE CASCADE,
  PRIMARY KEY (key, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX entry_keys_by_number ON entry_keys (number);

INSERT INTO meta (name, value) SELECT 'without_keys', 1 WHERE EXISTS (SELECT 1 FROM entries);

CREATE INDEX transcripts_begun ON transcripts (id) WHERE position < size AND problem IS NULL;

CREATE TRIGGER unread_again AFTER DELETE ON checkpoints BEGIN
  DELETE FROM meta WHERE name = 'read_up_to';
  INSERT INTO meta (name, value) VALUES ('begun_again', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TABLE rule_keys (
  key  INTEGER NOT NULL,
  rule TEXT NOT NULL REFERENCES rules (id) ON DELETE CASCADE,
  PRIMARY KEY (key, rule)
) STRICT, WITHOUT ROWID;

CREATE INDEX rule_keys_by_rule ON rule_keys (rule);

CREATE TABLE rules_due (
  id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

DELETE FROM rules;
DELETE FROM meta WHERE name = 'rules_folded';
DROP TRIGGER rules_new_entry;
DROP TRIGGER rules_changed_entry;
DROP TRIGGER rules_gone_entry;
DROP TRIGGER rules_new_record;
DROP TRIGGER rules_changed_record;
DROP TRIGGER rules_gone_record;

CREATE TRIGGER rules_new_entry AFTER INSERT ON entries WHEN new.category IN ('rule', 'rejected', 'learning') BEGIN
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
  INSERT INTO rules_due (id) VALUES (new.id) ON CONFLICT (id) DO NOTHING;
END;

CREATE TRIGGER rules_changed_entry AFTER UPDATE ON entries
WHEN old.category IN ('rule', 'rejected', 'learning') OR new.category IN ('rule', 'rejected', 'learning') BEGIN
  DELETE FROM rules
  WHERE (old.summary, old.project, old.agent, old.domain) IS NOT (new.summary, new.project, new.agent, new.domain);
  DELETE FROM meta WHERE name = 'rules_folded'
  AND (old.summary, old.project, old.agent, old.domain) IS NOT (new.summary, new.project, new.agent, new.domain);
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
  INSERT INTO rules_due (id) VALUES (new.id) ON CONFLICT (id) DO NOTHING;
END;

CREATE TRIGGER rules_gone_entry AFTER DELETE ON entries WHEN old.category IN ('rule', 'rejected', 'learning') BEGIN
  DELETE FROM rules;
  DELETE FROM meta WHERE name = 'rules_folded';
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER rules_new_record AFTER INSERT ON records WHEN new.act <> 'flow' BEGIN
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
  INSERT INTO rules_due (id) SELECT new.entry WHERE new.entry <> '' ON CONFLICT (id) DO NOTHING;
  -- An outcome names rules that held and rules that were broken; an answer to a review names two entries.
  INSERT INTO rules_due (id)
  SELECT atom FROM json_tree(iif(json_valid(new.value), new.value, '{}'))
  WHERE type = 'text' AND (path IN ('$.reinforced', '$.violated') OR fullkey IN ('$.repeats', '$.other'))
  ON CONFLICT (id) DO NOTHING;
END;

CREATE TRIGGER rules_changed_record AFTER UPDATE ON records BEGIN
  DELETE FROM rules;
  DELETE FROM meta WHERE name = 'rules_folded';
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER rules_gone_record AFTER DELETE ON records BEGIN
  DELETE FROM rules;
  DELETE FROM meta WHERE name = 'rules_folded';
  INSERT INTO meta (name, value) VALUES ('rules_changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

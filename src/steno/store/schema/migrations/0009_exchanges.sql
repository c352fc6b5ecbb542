-- Why: a briefing shows what people said, whatever became of it; so every utterance is kept with what it answered and how it
-- was weighed. A store made before has none: everything is learnt anew from the journal when the scribe next works.

CREATE TABLE exchanges (
  turn_id    INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
  place      INTEGER NOT NULL,             -- of several answers in one turn
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  same       INTEGER NOT NULL,             -- a number that utterances of the same words share
  worth      REAL NOT NULL,                -- how much it would be missed
  call       TEXT,                         -- JSON: the call that was stopped or refused
  value      TEXT NOT NULL,                -- JSON
  PRIMARY KEY (turn_id, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX exchanges_by_worth ON exchanges (session_id, worth);

CREATE INDEX exchanges_alike ON exchanges (session_id, same);

DROP TRIGGER unread_again;

CREATE TRIGGER unread_again AFTER DELETE ON checkpoints BEGIN
  DELETE FROM exchanges WHERE session_id = old.session_id;
  DELETE FROM meta WHERE name = 'read_up_to';
  INSERT INTO meta (name, value) VALUES ('begun_again', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

DELETE FROM reviews;
DELETE FROM entries;
DELETE FROM works;
DELETE FROM checkpoints;
DELETE FROM rules;
DELETE FROM meta WHERE name = 'rules_folded';
INSERT INTO meta (name, value) VALUES ('rebuilding', 1) ON CONFLICT (name) DO UPDATE SET value = 1;
INSERT INTO meta (name, value) VALUES ('rebuilds', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;

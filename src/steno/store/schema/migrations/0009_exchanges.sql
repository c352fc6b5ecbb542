-- Why: a briefing shows what people said, whatever became of it; so every utterance is kept with what it answered and how it
-- was weighed. A store made before has none: everything is learnt anew from the journal as soon as the scribe can.

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

INSERT INTO meta (name, value) SELECT 'outdated', 1 WHERE EXISTS (SELECT 1 FROM checkpoints) OR EXISTS (SELECT 1 FROM entries)
ON CONFLICT (name) DO UPDATE SET value = 1;

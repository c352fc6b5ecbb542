-- Proofs.

-- name: integrity
-- SQLite's own check of every page and index.
PRAGMA integrity_check(20);

-- name: foreign_keys
-- Rows that point to nothing.
PRAGMA foreign_key_check;

-- name: check_full_text
-- Compares the full-text index with the journal, word by word; fails if they differ.
INSERT INTO turns_text (turns_text, rank) VALUES ('integrity-check', 1);

-- name: unvouched
-- Transcripts whose watermark vouches for turns that are neither in the journal nor forgotten, or for fewer than there are.
WITH kept AS (SELECT transcript_id, count(*) AS turns FROM turns GROUP BY transcript_id),
     gone AS (SELECT transcript_id, count(*) AS turns FROM tombstones GROUP BY transcript_id)
SELECT name, turns_stored, coalesce(kept.turns, 0) + coalesce(gone.turns, 0) AS found
FROM transcripts
LEFT JOIN kept ON kept.transcript_id = transcripts.id
LEFT JOIN gone ON gone.transcript_id = transcripts.id
WHERE turns_stored <> found;

-- name: check_entries_text
-- The same for the index over entries.
INSERT INTO entries_text (entries_text, rank) VALUES ('integrity-check', 1);

-- name: unfounded
-- Entries without evidence, or whose quote is not in its turn.
SELECT entries.id FROM entries
WHERE entries.session_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM evidence WHERE entry = entries.id)
UNION
SELECT evidence.entry FROM evidence JOIN turns ON turns.id = evidence.turn_id WHERE NOT instr(turns.text, evidence.quote);

-- What was given to whom.

-- name: put_receipt
-- One more was given.
INSERT INTO receipts (at, kind, agent, session, turn, tier, tokens, items, verdict, why, because, tool, call)
VALUES (:at, :kind, :agent, :session, :turn, :tier, :tokens, :items, :verdict, :why, :because, :tool, :call)
RETURNING id;

-- name: receipts
-- Everything given, the oldest first; of a session without what was let pass.
SELECT id, at, kind, agent, session, turn, tier, tokens, items, verdict, why, because, tool, call FROM receipts
WHERE (:session IS NULL OR (session = :session AND tokens > 0)) ORDER BY id;

-- name: has_receipt
-- Whether the same was given to the same at the same time.
SELECT 1 FROM receipts
WHERE at = :at AND kind = :kind AND agent IS :agent AND session IS :session AND tier IS :tier AND items = :items
  AND verdict IS :verdict;

-- name: gate_receipt
-- An answer of the gate, by its number or the host's id of the call; with neither the last one.
SELECT id, at, kind, agent, session, turn, tier, tokens, items, verdict, why, because, tool, call FROM receipts
WHERE kind = 'gate' AND iif(:number IS NULL, :call IS NULL OR call = :call, id = :number) ORDER BY id DESC LIMIT 1;

-- name: receipts_naming
-- The last receipts that name something, the latest first.
SELECT id, at, kind, agent, session, turn, tier, tokens, items, verdict, why, because, tool, call FROM receipts
WHERE instr(items, :name) OR instr(because, :name) ORDER BY id DESC LIMIT :most;

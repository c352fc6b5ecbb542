-- What was given to whom.

-- name: put_receipt
-- One more was given.
INSERT INTO receipts (at, kind, agent, session, turn, tier, tokens, items, verdict, why)
VALUES (:at, :kind, :agent, :session, :turn, :tier, :tokens, :items, :verdict, :why)
RETURNING id;

-- name: receipts
-- Everything given, the oldest first.
SELECT id, at, kind, agent, session, turn, tier, tokens, items, verdict, why FROM receipts
WHERE (:session IS NULL OR session = :session) ORDER BY id;

-- name: has_receipt
-- Whether the same was given to the same at the same time.
SELECT 1 FROM receipts
WHERE at = :at AND kind = :kind AND agent IS :agent AND session IS :session AND tier IS :tier AND items = :items
  AND verdict IS :verdict;

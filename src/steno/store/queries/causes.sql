-- What came from what, and flags raised by hand.

-- name: put_cause
-- One thing came from another.
INSERT INTO causes (effect, cause, at) VALUES (:effect, :cause, :at) ON CONFLICT (effect, cause) DO NOTHING;

-- name: causes_of
-- What some things came from.
SELECT effect, cause FROM causes WHERE effect IN (SELECT value FROM json_each(:ids)) ORDER BY at, effect, cause;

-- name: effects_of
-- What came from some things.
SELECT effect, cause FROM causes WHERE cause IN (SELECT value FROM json_each(:ids)) ORDER BY at, effect, cause;

-- name: put_flag
-- A warning is raised; the same one again while it stands is the same.
INSERT INTO flags (id, at, raised_by, text) VALUES (:id, :at, :raised_by, :text)
ON CONFLICT (id) DO UPDATE SET at = iif(settled_at IS NULL, at, excluded.at), settled_at = NULL;

-- name: raised_flags
-- Warnings whose id begins so, the oldest first; all, or those that stand; all, or those an agent raised.
SELECT id, at, raised_by, text, settled_at FROM flags
WHERE substr(id, 1, length(:id)) = :id AND (:settled OR settled_at IS NULL)
  AND (:by IS NULL OR raised_by = :by)
ORDER BY at, id;

-- name: settle_flag
-- A person looked at it.
UPDATE flags SET settled_at = :at WHERE id = :id AND settled_at IS NULL;

-- name: erase_flags_with
-- Warnings that hold the text.
DELETE FROM flags WHERE instr(concat_ws(' ', raised_by, text), :text);

-- name: flag_words
-- Words and names in warnings.
SELECT id, raised_by, text FROM flags;

-- name: rewrite_flag
-- New patterns found a secret in them.
UPDATE flags SET raised_by = :raised_by, text = :text WHERE id = :id;

-- What agents write to each other.

-- name: put_message
-- One more, unless it was sent before.
INSERT INTO messages (id, at, sender, kind, recipient, text, thread, expires_at)
VALUES (:id, :at, :sender, :kind, :recipient, :text, :thread, :expires_at)
ON CONFLICT (id) DO NOTHING;

-- name: messages
-- Messages whose id begins so, or of a thread, in the order they were sent: all, or those an agent wrote or may read.
SELECT id, at, sender, kind, recipient, text, thread,
       (SELECT cause FROM causes WHERE effect = id ORDER BY at, cause LIMIT 1), expires_at,
       (SELECT json_group_array(agent) FROM (SELECT agent FROM message_reads WHERE message = id ORDER BY at, agent))
FROM messages
WHERE (:id IS NULL OR substr(id, 1, length(:id)) = :id) AND (:thread IS NULL OR thread = :thread)
  AND (:agent IS NULL OR sender = :agent OR kind = 'all' OR (kind = 'agent' AND recipient = :agent)
       OR (kind = 'domain' AND recipient IN (SELECT value FROM json_each(:domains))))
ORDER BY number;

-- name: unread_messages
-- What an agent was not handed yet, and still should be.
SELECT id, at, sender, kind, recipient, text, thread,
       (SELECT cause FROM causes WHERE effect = id ORDER BY at, cause LIMIT 1), expires_at, '[]'
FROM messages
WHERE (kind = 'all' OR (kind = 'agent' AND recipient = :agent)
       OR (kind = 'domain' AND recipient IN (SELECT value FROM json_each(:domains))))
  AND sender <> :agent AND (expires_at IS NULL OR expires_at > :now)
  AND NOT EXISTS (SELECT 1 FROM message_reads WHERE message = id AND agent = :agent)
ORDER BY number;

-- name: put_read
-- An agent was handed a message; what is no message is not marked.
INSERT INTO message_reads (message, agent, at) SELECT id, ?2, ?3 FROM messages WHERE id = ?1
ON CONFLICT (message, agent) DO NOTHING;

-- name: threads
-- Threads, the one written to last first: all, or those that hold what an agent wrote or may read.
SELECT first.id, first.sender, first.kind, first.recipient, first.text, count(*), max(messages.at)
FROM messages JOIN messages AS first ON first.id = messages.thread
WHERE (:agent IS NULL OR messages.sender = :agent OR messages.kind = 'all' OR (messages.kind = 'agent' AND messages.recipient = :agent)
       OR (messages.kind = 'domain' AND messages.recipient IN (SELECT value FROM json_each(:domains))))
GROUP BY first.id ORDER BY max(messages.number) DESC;

-- name: erase_messages_with
-- Messages that hold the text, or whose names do.
DELETE FROM messages WHERE instr(concat_ws(' ', sender, recipient, text), :text);

-- name: erase_reads_with
-- Read marks of an agent whose name holds the text.
DELETE FROM message_reads WHERE instr(agent, :text);

-- name: message_words
-- Words and names in messages.
SELECT id, sender, recipient, text FROM messages;

-- name: rewrite_message
-- New patterns found a secret in them.
UPDATE messages SET sender = :sender, recipient = :recipient, text = :text WHERE id = :id;

-- name: unread_by_agent
-- How many messages wait for an agent by its name.
SELECT recipient, count(*) FROM messages
WHERE kind = 'agent' AND (expires_at IS NULL OR expires_at > :now)
  AND NOT EXISTS (SELECT 1 FROM message_reads WHERE message = id AND agent = recipient)
GROUP BY recipient ORDER BY recipient;

-- The notebook: pages as they were last written, and what is due to stand on them.

-- name: notebooks
-- Folders of the notebook, by project.
SELECT project, agent, folder FROM notebooks ORDER BY folder;

-- name: put_notebook
-- A project, or an agent in it, gets a folder.
INSERT INTO notebooks (project, agent, folder) VALUES (:project, :agent, :folder) ON CONFLICT (project, agent) DO NOTHING;

-- name: scrub_notebooks_with
-- Folders of projects and agents whose name is forgotten.
DELETE FROM notebooks WHERE instr(project, :text) OR instr(agent, :text) OR instr(folder, :text) OR instr(path, :text);

-- name: scrub_due_with
-- Names of flows that are forgotten.
DELETE FROM pages_due WHERE instr(entry, :text);

-- name: page_hashes
-- What was last written, without the words.
SELECT folder, name, hash, lines FROM pages WHERE folder <> :own;

-- name: page_text
-- A page as it was last written.
SELECT text FROM pages WHERE folder = :folder AND name = :name;

-- name: pages_with
-- Pages an entry stands on.
SELECT folder, name FROM pages WHERE folder <> :own AND instr(text, :id);

-- name: put_page
-- A page was written.
INSERT INTO pages (folder, name, hash, lines, text) VALUES (:folder, :name, :hash, :lines, :text)
ON CONFLICT (folder, name) DO UPDATE SET hash = excluded.hash, lines = excluded.lines, text = excluded.text;

-- name: drop_page
-- A page is not there any more.
DELETE FROM pages WHERE folder = :folder AND name = :name;

-- name: clear_pages
-- Derived: words that are forgotten may stand in them.
DELETE FROM pages;

-- name: pages_due
-- Entries that changed since.
SELECT entry FROM pages_due;

-- name: pages_owed
-- They could not be written.
INSERT INTO pages_due (entry) SELECT value FROM json_each(:entries) WHERE true ON CONFLICT (entry) DO NOTHING;

-- name: pages_done
-- They are about to be written.
DELETE FROM pages_due WHERE entry IN (SELECT value FROM json_each(:entries));

-- name: set_topic
-- An entry stands on a topic: a person put it there, or it is a fact about people or places.
INSERT INTO topics (entry, topic) SELECT id, :topic FROM entries WHERE id = :entry
ON CONFLICT (entry) DO UPDATE SET topic = excluded.topic;

-- name: topics_of
-- The topics some entries were put on.
SELECT entry, topic FROM topics WHERE entry IN (SELECT value FROM json_each(:ids));

-- name: places_due
-- What tells the pages some entries belong to.
SELECT id, project, iif(session_id IS NOT NULL AND project IS NOT NULL, '', coalesce(agent, '')), category, topic
FROM entries LEFT JOIN topics ON topics.entry = entries.id
WHERE id IN (SELECT value FROM json_each(:ids));

-- name: merged_into
-- Rules that went into some others, and those some went into.
SELECT id FROM rules WHERE merged_into IN (SELECT value FROM json_each(:ids))
UNION SELECT merged_into FROM rules WHERE id IN (SELECT value FROM json_each(:ids)) AND merged_into IS NOT NULL;

-- name: entries_of_page
-- What may stand on a page: of a project and all agents or one, some categories, and a topic; of each category, of people
-- and of others, the latest.
SELECT id, category, status, certainty, confidence, summary, detail, origin, tags, domain, subject, '', project, agent,
       created_at, superseded_by, repeated, repeated_at, cue
FROM entries JOIN (
  SELECT entries.number, row_number() OVER (
    PARTITION BY category, origin IN (SELECT value FROM json_each(:people))
    ORDER BY created_at DESC, entries.id DESC) AS place
  FROM entries LEFT JOIN topics ON topics.entry = entries.id
  WHERE category IN (SELECT value FROM json_each(:categories)) AND project IS :project AND status IN ('active', 'done')
    AND iif(session_id IS NOT NULL AND project IS NOT NULL, '', coalesce(agent, '')) = :agent
    AND (:topic IS NULL OR topics.topic = :topic
         OR (topics.topic IS NULL AND :own))
) USING (number)
WHERE place <= :most ORDER BY created_at, id;

-- name: topics_there
-- What tells every page that has a line: projects, agents, categories and topics.
SELECT DISTINCT project, iif(session_id IS NOT NULL AND project IS NOT NULL, '', coalesce(agent, '')), category, topic
FROM entries LEFT JOIN topics ON topics.entry = entries.id
WHERE status IN ('active', 'done') AND origin NOT IN ('file', 'tool');

-- name: laid_aside
-- What people said word for word, of a category, a project and all agents or one, and what was laid aside since.
SELECT id, category, status, certainty, confidence, summary, detail, origin, tags, domain, subject, '', project, agent,
       created_at, superseded_by, repeated, repeated_at, cue
FROM entries
WHERE category = :category AND project IS :project AND status = 'archived' AND origin IN (SELECT value FROM json_each(:people))
  AND iif(session_id IS NOT NULL AND project IS NOT NULL, '', coalesce(agent, '')) = :agent
  AND (summary = :words OR detail ->> '$.exchange.said' = :words)
ORDER BY created_at DESC, id;

-- name: held_pages
-- Pages that wait for a person, by their place.
SELECT id, folder, name, project, reason, at, diff, hash, found, ours, theirs, source, session, agent, tool, call, began
FROM held_pages ORDER BY folder, name;

-- name: put_held_page
-- A page waits, as it is now.
INSERT OR REPLACE INTO held_pages
  (id, folder, name, project, hash, found, ours, diff, reason, at, theirs, source, session, agent, tool, call, began)
VALUES (:id, :folder, :name, :project, :hash, :found, :ours, :diff, :reason, :at, :theirs, :source, :session, :agent, :tool,
        :call, :began);

-- name: drop_held_page
-- It waits no more.
DELETE FROM held_pages WHERE id = :id;

-- name: scrub_held_with
-- Words that are forgotten leave what is kept of a page that waits; the page itself goes on waiting.
UPDATE held_pages SET
  found = replace(found, :text, ''), ours = replace(ours, :text, ''), theirs = replace(theirs, :text, ''),
  diff = replace(diff, :text, ''),
  reason = replace(reason, :text, ''), project = replace(project, :text, ''), session = replace(session, :text, ''),
  agent = replace(agent, :text, ''), tool = replace(tool, :text, ''), call = replace(call, :text, '')
WHERE instr(concat_ws(' ', found, ours, theirs, diff, reason, project, session, agent, tool, call), :text);

-- name: scrub_held_by
-- The call that changed a page that waits is forgotten.
UPDATE held_pages SET session = '', call = ''
WHERE (source, session, began) = (
  SELECT source, session, at FROM turns JOIN sessions ON sessions.id = session_id WHERE turns.id = :id);

-- name: held_words
-- What is kept of pages that wait.
SELECT id, found, ours, theirs, diff, reason, call FROM held_pages;

-- name: rewrite_held
-- The same, without a secret that new patterns found.
UPDATE held_pages SET found = :found, ours = :ours, theirs = :theirs, diff = :diff, reason = :reason, call = :call WHERE id = :id;

-- Writes emails whose words were composed before, inside a statement that decides who gets one. Only through it does
-- SQL of other features write to the outbox; `prepareWords` and `prepareAddress` (outbox.writing.ts) make its input.
--   emails     one object for each email: `n` its place in the order of sending, `id`, `message_id`, `to`, `about`, the
--              number of its `words`, and the `token` that replaces the mark in them
--   all_words  one object for each text that emails share, by `n`
--     at         the product time at which they count as written
CREATE OR REPLACE FUNCTION put_prepared_emails(emails jsonb, all_words jsonb, at timestamptz)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  INSERT INTO outbox_emails (id, message_id, kind, language, to_address, reply_to, subject,
      text, html, about, created_at, not_before, sent_at)
    SELECT e.id, e.message_id, w.kind, w.language, e."to", w.reply_to, w.subject,
      replace(w.text, w.mark, e.token), replace(w.html, w.mark, e.token),
           e.about, at, at, CASE WHEN w.sent THEN at END
      FROM jsonb_to_recordset(emails) AS e(n integer, id uuid, message_id text,
        "to" text, about text, words integer, token text)
      JOIN jsonb_to_recordset(all_words) AS w(n integer, kind text, language text, reply_to text,
        subject text, text text, html text, mark text, sent boolean)
        ON w.n = e.words
     ORDER BY e.n;
END $$;

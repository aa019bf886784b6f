-- What decides whether an event can be booked, apart from its places. Events of a therapist who cannot be met are left
-- out. `version` changes with everything that an email about the event says.
CREATE OR REPLACE VIEW bookable_events AS
  SELECT e.id, e.places,
         CASE WHEN e.deleted_at IS NOT NULL THEN 'not_found'
              WHEN e.status = 'CANCELLED' THEN 'event_cancelled'
              WHEN e.starts_at <= (SELECT product_now()) THEN 'event_closed' END AS refusal,
         md5(concat_ws('|', extract(epoch FROM e.updated_at), a.first_name, a.last_name, a.slug,
             a.language, a.time_zone)) AS version
    FROM events e
    JOIN accounts a ON a.id = e.therapist_id
   WHERE a.email_verified_at IS NOT NULL AND a.suspended_at IS NULL AND a.deletes_at IS NULL
     AND 'ROLE_THERAPIST' = ANY (a.roles);

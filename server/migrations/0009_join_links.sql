-- The address of the public page and the way into the room part: the slug keeps the text that stands in e-mails and
-- search engines, the join link becomes a secret of its own. Only the demo's Anna keeps one text for both.
ALTER TABLE "accounts" RENAME COLUMN "join_link" TO "slug";--> statement-breakpoint
ALTER TABLE "accounts" RENAME CONSTRAINT "accounts_join_link_unique" TO "accounts_slug_unique";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "join_link" text;--> statement-breakpoint
-- Sixteen characters of 31 as `newJoinLink` writes them: 79 bits. Bytes 0 to 5 and 10 to 15 of a random UUID are random
-- all over (RFC 9562 5.4). Read by each account's id, so that every account gets chance of its own.
UPDATE "accounts" SET "join_link" = chance.link FROM (
  SELECT account.id, string_agg(substr('abcdefghjkmnpqrstuvwxyz23456789', 1 + get_byte(account.bytes, place.byte) % 31, 1) || CASE WHEN place.nr IN (4, 8, 12) THEN '-' ELSE '' END, '' ORDER BY place.nr) AS link
    FROM (SELECT id, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) AS bytes FROM "accounts") account
    CROSS JOIN unnest(ARRAY[0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]) WITH ORDINALITY AS place(byte, nr)
   GROUP BY account.id) chance
 WHERE chance.id = "accounts"."id";--> statement-breakpoint
UPDATE "accounts" SET "join_link" = "slug" WHERE "email_normalized" = 'anna@demo.example' AND "slug" = 'anna';--> statement-breakpoint
ALTER TABLE "accounts" ALTER COLUMN "join_link" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_join_link_unique" UNIQUE("join_link");--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "join_link" text;

ALTER TABLE "outbox_letters" ADD COLUMN "tried_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "outbox_letters" ADD COLUMN "failures" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox_letters" ADD COLUMN "woken" smallint DEFAULT 0 NOT NULL;
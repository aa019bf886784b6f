-- Emails are called emails. `put_prepared_emails` and `take_holds` get the new names when their files are applied.
ALTER TABLE "outbox_letters" RENAME TO "outbox_emails";--> statement-breakpoint
ALTER SEQUENCE "outbox_letters_number_seq" RENAME TO "outbox_emails_number_seq";--> statement-breakpoint
ALTER TABLE "outbox_emails" RENAME CONSTRAINT "outbox_letters_pkey" TO "outbox_emails_pkey";--> statement-breakpoint
ALTER TABLE "outbox_emails" RENAME CONSTRAINT "outbox_letters_message_id_unique" TO "outbox_emails_message_id_unique";--> statement-breakpoint
ALTER INDEX "outbox_letters_due" RENAME TO "outbox_emails_due";--> statement-breakpoint
ALTER INDEX "outbox_letters_about" RENAME TO "outbox_emails_about";--> statement-breakpoint
UPDATE "booking_tokens" SET "purpose" = 'email' WHERE "purpose" = 'letter';

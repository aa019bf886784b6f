DROP INDEX "booking_handles_decoys";--> statement-breakpoint
DROP INDEX "bookings_live_event";--> statement-breakpoint
ALTER TABLE "booking_handles" ADD COLUMN "places" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "places" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "booking_handles_decoys" ON "booking_handles" USING btree ("event_id","held_until","places") WHERE booking_id is null and used_at is null;--> statement-breakpoint
CREATE INDEX "bookings_live_event" ON "bookings" USING btree ("event_id","state","held_until","places") WHERE state in ('HELD', 'CONFIRMED');--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_places" CHECK ("bookings"."places" between 1 and 4);
CREATE TABLE "notice_lists" (
	"therapist_id" bigint PRIMARY KEY NOT NULL,
	"revision" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"therapist_id" bigint NOT NULL,
	"revision" bigint NOT NULL,
	"kind" text NOT NULL,
	"booking_id" bigint,
	"client_id" bigint,
	"others" integer DEFAULT 0 NOT NULL,
	"bill_id" bigint,
	"at" timestamp with time zone DEFAULT product_now() NOT NULL,
	"read_at" timestamp with time zone,
	CONSTRAINT "notices_kind" CHECK (("notices"."kind" in ('booked', 'cancelled') and "notices"."booking_id" is not null) or "notices"."kind" = 'arrival' or ("notices"."kind" = 'bill' and "notices"."bill_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "notice_lists" ADD CONSTRAINT "notice_lists_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_bill_id_bills_id_fk" FOREIGN KEY ("bill_id") REFERENCES "public"."bills"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "notices_of_therapist" ON "notices" USING btree ("therapist_id","revision");--> statement-breakpoint
CREATE INDEX "notices_unread" ON "notices" USING btree ("therapist_id") WHERE read_at is null;--> statement-breakpoint
CREATE INDEX "notices_at" ON "notices" USING btree ("at");--> statement-breakpoint
CREATE INDEX "notices_booking" ON "notices" USING btree ("booking_id") WHERE booking_id is not null;--> statement-breakpoint
CREATE INDEX "notices_client" ON "notices" USING btree ("client_id") WHERE client_id is not null;
CREATE TABLE "video_owners" (
	"therapist_id" bigint PRIMARY KEY NOT NULL,
	"node_id" text,
	"flows" boolean DEFAULT false NOT NULL,
	"muted" bigint[] DEFAULT '{}' NOT NULL,
	"offered" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "video_tickets" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"therapist_id" bigint NOT NULL,
	"person_id" bigint NOT NULL,
	"as" text NOT NULL,
	"firefox" boolean NOT NULL,
	"sign_in" "bytea",
	"issued_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "video_owners" ADD CONSTRAINT "video_owners_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "video_tickets" ADD CONSTRAINT "video_tickets_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "video_tickets_person" ON "video_tickets" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "video_tickets_therapist" ON "video_tickets" USING btree ("therapist_id");
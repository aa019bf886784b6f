CREATE TABLE "video_rooms" (
	"therapist_id" bigint PRIMARY KEY NOT NULL,
	"clients_visible" boolean DEFAULT true NOT NULL,
	"high_quality" boolean DEFAULT false NOT NULL,
	"encrypted" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "hand_raised_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "video_rooms" ADD CONSTRAINT "video_rooms_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;

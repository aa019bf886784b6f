CREATE TABLE "retention_settings" (
	"therapist_id" bigint PRIMARY KEY NOT NULL,
	"attendance_months" integer NOT NULL,
	CONSTRAINT "retention_settings_months" CHECK ("retention_settings"."attendance_months" between 1 and 120)
);
--> statement-breakpoint
ALTER TABLE "retention_settings" ADD CONSTRAINT "retention_settings_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
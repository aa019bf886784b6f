CREATE TABLE "designs" (
	"therapist_id" bigint PRIMARY KEY NOT NULL,
	"background" text,
	"background_image" uuid,
	"left_menu" text,
	"left_menu_text" text,
	"left_menu_selected" text,
	"top_menu" text,
	"top_menu_text" text
);
--> statement-breakpoint
ALTER TABLE "designs" ADD CONSTRAINT "designs_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "designs" ADD CONSTRAINT "designs_background_image_stored_files_id_fk" FOREIGN KEY ("background_image") REFERENCES "public"."stored_files"("id") ON DELETE set null ON UPDATE no action;
CREATE TABLE "constellations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "constellations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"therapist_id" bigint NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"figures" jsonb NOT NULL,
	"saved_at" timestamp with time zone DEFAULT product_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "constellations" ADD CONSTRAINT "constellations_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "constellations_names" ON "constellations" USING btree ("therapist_id","name_key");
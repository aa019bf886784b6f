CREATE TABLE "former_ways_in" (
	"kind" text NOT NULL,
	"way" text NOT NULL,
	"therapist_id" bigint NOT NULL,
	"ended_at" timestamp with time zone DEFAULT product_now() NOT NULL,
	CONSTRAINT "former_ways_in_kind_way_pk" PRIMARY KEY("kind","way")
);
--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "source" "bytea";--> statement-breakpoint
ALTER TABLE "former_ways_in" ADD CONSTRAINT "former_ways_in_therapist_id_accounts_id_fk" FOREIGN KEY ("therapist_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_ways_in_therapist" ON "former_ways_in" USING btree ("therapist_id");--> statement-breakpoint
-- Before the public address and the way into the room parted, the slug was the link: a client who still has it concerns
-- its therapist.
INSERT INTO "former_ways_in" ("kind", "way", "therapist_id") SELECT 'link', "slug", "id" FROM "accounts" WHERE "slug" <> "join_link";

ALTER TABLE "video_rooms" ADD COLUMN "stage_only" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "video_rooms" ADD COLUMN "stage" bigint[];
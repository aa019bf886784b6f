import { defineConfig } from 'drizzle-kit';

/** `npx drizzle-kit generate --name <what>` writes the next migration from the tables. */
export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/platform/platform.tables.ts', './src/features/*/*.tables.ts'],
  out: './migrations',
});

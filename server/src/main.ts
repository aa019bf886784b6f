/** The program: runs the server, with quick imports (platform/db/drizzle-imports.ts says why). */
import { quickenDrizzleImports } from './platform/db/drizzle-imports.ts';

const hooks = quickenDrizzleImports();
await import('./serve.ts');
hooks.deregister();

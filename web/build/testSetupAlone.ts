/**
 * Runs before each test file of the web that replaces modules or needs them untouched. The project's own modules are
 * loaded anew for the file. Libraries are kept: loading React and Mantine takes longer than most of these tests.
 */
import { vi } from 'vitest';

vi.resetModules();
await import('./testSetup.ts');

/** The bug report: a smiley that comes by itself, after the page stands. */
export { LazyBugReport } from './LazyBugReport.tsx';

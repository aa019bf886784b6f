/** The bug report: a smiley that comes by itself, after the page stands, or an entry of a phone's menu. */
export { bugReportEntries, LazyBugReport, LazyBugReportButton, LazyBugReportItem } from './LazyBugReport.tsx';
export { useBugReportPanel } from './useBugReportPanel.ts';

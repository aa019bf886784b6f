/** The bug report: a smiley that appears after the page is drawn, or an entry of a phone's menu. */
export { bugReportEntries, LazyBugReport, LazyBugReportButton, LazyBugReportItem } from './LazyBugReport.tsx';
export { useBugReportPanel } from './useBugReportPanel.ts';

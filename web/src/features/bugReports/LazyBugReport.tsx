/** The opener of the bug report, fetched after the page is drawn. */
import { createElement } from 'react';
import { loadWords } from '../../platform/i18n/app.ts';
import { lazyPart, useLazyPart } from '../../ui/lazy/lazyPart.ts';
import type { BugReportItemProps } from './BugReportEntries.tsx';
import { type OpenedBugReport, useBugReportPanel } from './useBugReportPanel.ts';

/** The code and texts of the entries, for `useWarmUp`. */
export const bugReportEntries = lazyPart(
  async () => (await Promise.all([import('./BugReportEntries.tsx'), loadWords(['bugReports'])]))[0],
);

interface LazyBugReportButtonProps {
  report: Pick<OpenedBugReport, 'opened' | 'open' | 'close'>;
  /** The button's look in its bar. */
  className?: string | undefined;
}

/** The smiley. It keeps its width until it is loaded. */
export function LazyBugReportButton({ report: { opened, open, close }, className }: LazyBugReportButtonProps) {
  const entries = useLazyPart(bugReportEntries, true);
  return (
    <span style={{ minWidth: 44 }}>
      {entries && createElement(entries.BugReportButton, { className, opened, onPress: opened ? close : open })}
    </span>
  );
}

/** An entry of a phone's menu, in which there is no room for the panel. */
export function LazyBugReportItem(props: BugReportItemProps) {
  const entries = useLazyPart(bugReportEntries, true);
  return entries && createElement(entries.BugReportItem, props);
}

/** The smiley with its panel. */
export function LazyBugReport({ className }: Pick<LazyBugReportButtonProps, 'className'>) {
  const report = useBugReportPanel();
  return (
    <>
      <LazyBugReportButton report={report} className={className} />
      {report.panel}
    </>
  );
}

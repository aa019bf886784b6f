/** The smiley's place. Its code and texts are fetched after the page stands, and it keeps its width until then. */
import { createElement } from 'react';
import { loadWords } from '../../platform/i18n/app.ts';
import { lazyPart, useLazyPart } from '../../ui/lazy/lazyPart.ts';

const part = lazyPart(async () => {
  const [{ BugReportButton }] = await Promise.all([import('./BugReportButton.tsx'), loadWords(['bugReports'])]);
  return BugReportButton;
});

/** `className` is the button's look in its bar. */
export function LazyBugReport({ className }: { className?: string | undefined }) {
  const button = useLazyPart(part, true);
  return <span style={{ minWidth: 44 }}>{button && createElement(button, { className })}</span>;
}

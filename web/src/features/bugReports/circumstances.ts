/** What a report contains about browser and page (docs/product.md#12.21). */
import type { BugReportInput } from '@fieldroom/contract/bugReports';
import { reportedPage } from '@fieldroom/contract/bugReports';
import { currentLanguage } from '../../platform/i18n/app.ts';
import { runningScript } from '../../platform/newVersion.ts';
import { getAppearance } from '../../ui/theme/appearance.ts';

/** The first match counts: each browser also names those that it resembles. */
const BROWSERS = [
  ['Edge', /Edg(?:A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)/],
] as const;
const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad|iPod/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const;

/** Name and version of a browser, such as `Firefox 140`. Takes the user agent. */
export function browserName(userAgent: string): string {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return 'unknown';
}

/**
 * The operating system without its version, such as `Windows`; `unknown` where none is recognised. Takes the user
 * agent.
 */
export const systemName = (userAgent: string): string =>
  SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'unknown';

/** The build, by the fingerprint in the name of the page's script. */
const runningBuild = (): string | null => /-([\w-]{6,20})\.js$/.exec(runningScript() ?? '')?.[1] ?? null;

/**
 * Reads from the browser what is sent with a report. The page is only its route, sizes are `1920x1080` in px, and the
 * theme is `scheme.palette`. The build is null where the script's name has none.
 */
export function circumstances(): Pick<
  BugReportInput,
  'page' | 'browser' | 'os' | 'screenSize' | 'viewSize' | 'version' | 'language' | 'theme'
> {
  const { scheme, palette } = getAppearance();
  return {
    page: reportedPage(window.location.pathname),
    browser: browserName(navigator.userAgent),
    os: systemName(navigator.userAgent),
    screenSize: `${window.screen.width}x${window.screen.height}`,
    viewSize: `${window.innerWidth}x${window.innerHeight}`,
    version: runningBuild(),
    language: currentLanguage(),
    theme: `${scheme}.${palette}`,
  };
}

/** For the kit's `Modal`: a sheet at the bottom of a phone's screen, above which the page stays visible. */
import dialog from './dialogParts.module.css';

/** Class names for `classNames`. */
export const SHEET = { inner: dialog.sheetPlace ?? '', content: dialog.sheet ?? '' };

/** The first keyboard stop in the room: a link, visible while it has the focus, past all tools to the figures. */
import { useTranslation } from 'react-i18next';

/** Id of the field on the page. */
export const FIELD_ID = 'field';

/** Moves the focus to the field itself, where no key moves a figure. */
export function focusField(): void {
  const field = document.getElementById(FIELD_ID);
  if (!field) return;
  // Only until it loses the focus, so that a press on the background never focuses it.
  field.tabIndex = -1;
  field.addEventListener('blur', () => field.removeAttribute('tabindex'), { once: true });
  field.focus();
}

/** Moves the focus to the first figure, or to the field itself while it is empty. */
function focusFigures(): void {
  const figure = document.getElementById(FIELD_ID)?.querySelector<SVGGElement>('[data-figure]');
  if (figure) figure.focus();
  else focusField();
}

/** The link (docs/product.md#5.25). It adds no entry to the browser's history. */
export function SkipToField() {
  const { t } = useTranslation('field');
  return (
    <a
      className="fr-skip"
      href={`#${FIELD_ID}`}
      onClick={(event) => {
        // An entry in the browser's history would be one more press of "back" on the way out of the room.
        event.preventDefault();
        focusFigures();
      }}
    >
      {t('skip')}
    </a>
  );
}

/** The three cards of the page: the field, the side menu, the top bar. */
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../../../platform/i18n/app.ts';
import { problemText } from '../../../../platform/i18n/faults.ts';
import { numberFormat } from '../../../../platform/i18n/formats.ts';
import { Callout } from '../../../../ui/states/Callout.tsx';
import { ColourChoice } from './ColourChoice.tsx';
import { lowContrast, withGround } from '../saving/designDraft.ts';
import { GroundPictureField } from './GroundPictureField.tsx';
import type { DesignForm } from '../saving/useDesignForm.ts';
import styles from '../DesignPage.module.css';

interface CardProps {
  form: DesignForm;
  busy: boolean;
}

function Card({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
      </div>
      {children}
    </section>
  );
}

/** Why a part was not saved. */
function Refusal({ fault }: { fault: unknown }) {
  return fault === undefined ? null : (
    <Callout tone="fault" role="alert">
      {problemText(sayProblem, fault)}
    </Callout>
  );
}

/** Why a text colour can't be saved; undefined if it is readable. */
function useUnreadable(menu: Parameters<typeof lowContrast>[0]): string | undefined {
  const { t } = useTranslation('design');
  const least = lowContrast(menu);
  if (least === null) return undefined;
  const number = numberFormat(currentLanguage(), {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  // Rounded down, so that 4.49 is not shown as the required 4.5.
  return t('menu.unreadable', { contrast: number.format(Math.floor(least * 10) / 10), least: number.format(4.5) });
}

/** Colour and picture of the field. `address` is that of the shown picture, stored or not saved yet; null for none. */
export function FieldCard({ form, address, busy }: CardProps & { address: string | null }) {
  const { t } = useTranslation('design');
  const { draft, change, faults } = form;
  return (
    <Card title={t('field.title')} text={t('field.text')}>
      <ColourChoice
        label={t('field.color')}
        without={t('colour.theme')}
        value={draft.color}
        onChange={(color) => change('color', color)}
        disabled={busy}
      />
      <Refusal fault={faults.color} />
      <GroundPictureField
        picture={draft.picture}
        address={address}
        onChange={(picture) => change('picture', picture)}
        disabled={busy}
      />
      <Refusal fault={faults.picture} />
    </Card>
  );
}

/**
 * Colours of the side menu: background, text, and the chosen entry. The last two can be chosen once there is a
 * background of their own. An unreadable text colour is reported at its place, and nothing is saved with it
 * (docs/product.md#11.14).
 */
export function LeftMenuCard({ form: { draft, change, faults }, busy }: CardProps) {
  const { t } = useTranslation('design');
  const { left } = draft;
  const unreadable = useUnreadable(left);
  return (
    <Card title={t('left.title')} text={t('left.text')}>
      <ColourChoice
        label={t('menu.bgColor')}
        without={t('colour.theme')}
        value={left.bgColor}
        onChange={(color) => change('left', withGround(left, color))}
        disabled={busy}
      />
      {left.bgColor === null ? null : (
        <>
          <ColourChoice
            label={t('menu.textColor')}
            without={t('colour.readable')}
            value={left.textColor}
            onChange={(textColor) => change('left', { ...left, textColor })}
            disabled={busy}
            fault={unreadable}
          />
          <ColourChoice
            label={t('menu.selectedColor')}
            without={t('colour.fitting')}
            value={left.selectedColor}
            onChange={(selectedColor) => change('left', { ...left, selectedColor })}
            disabled={busy}
          />
        </>
      )}
      <Refusal fault={faults.left} />
    </Card>
  );
}

/** Colours of the top bar: background, and text once there is a background. */
export function TopMenuCard({ form: { draft, change, faults }, busy }: CardProps) {
  const { t } = useTranslation('design');
  const { top } = draft;
  const unreadable = useUnreadable(top);
  return (
    <Card title={t('top.title')} text={t('top.text')}>
      <ColourChoice
        label={t('menu.bgColor')}
        without={t('colour.theme')}
        value={top.bgColor}
        onChange={(color) => change('top', withGround(top, color))}
        disabled={busy}
      />
      {top.bgColor === null ? null : (
        <ColourChoice
          label={t('menu.textColor')}
          without={t('colour.readable')}
          value={top.textColor}
          onChange={(textColor) => change('top', { ...top, textColor })}
          disabled={busy}
          fault={unreadable}
        />
      )}
      <Refusal fault={faults.top} />
    </Card>
  );
}

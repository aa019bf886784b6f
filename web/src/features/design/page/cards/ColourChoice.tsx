/** One colour: the theme's, one of ten, or any other. Applies at once. */
import { ColorPicker, Popover, TextInput } from '@mantine/core';
import '@mantine/core/styles/ColorPicker.layer.css';
import '@mantine/core/styles/ColorSwatch.layer.css';
import { IconColorPicker } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpened } from '../../../../ui/dialogs/backCloses.ts';
import { COLOUR_NAMES, COLOURS, hexOf } from './colours.ts';
import styles from './ColourChoice.module.css';

export interface ColourChoiceProps {
  /** The element to be coloured. */
  label: string;
  /** The colour shown if none is chosen. */
  without: string;
  value: string | null;
  onChange(value: string | null): void;
  disabled: boolean;
  /** Why the colour can't be saved. */
  fault?: ReactNode;
}

/** A radio group and a field for any other colour. Values are `#rrggbb`, null for the theme's. */
export function ColourChoice({ label, without, value, onChange, disabled, fault }: ColourChoiceProps) {
  const { t } = useTranslation('design');
  const name = useId();
  return (
    <fieldset className={styles.choice} disabled={disabled}>
      <legend>{label}</legend>
      <div className={styles.swatches}>
        <label className={styles.without}>
          <input type="radio" name={name} checked={value === null} onChange={() => onChange(null)} />
          <span>{without}</span>
        </label>
        {COLOUR_NAMES.map((colour) => (
          <label key={colour} className={styles.swatch} title={t(`colour.names.${colour}`)}>
            <input
              type="radio"
              name={name}
              checked={value === COLOURS[colour]}
              onChange={() => onChange(COLOURS[colour])}
            />
            <span style={{ background: COLOURS[colour] }} aria-hidden />
            <span className="fr-hidden">{t(`colour.names.${colour}`)}</span>
          </label>
        ))}
      </div>
      <OtherColour value={value} onChange={onChange} disabled={disabled} of={label} fault={fault} />
    </fieldset>
  );
}

type OtherColourProps = Pick<ColourChoiceProps, 'value' | 'onChange' | 'disabled' | 'fault'> & { of: string };

/** Any colour, picked or typed. An incomplete colour changes nothing, and is replaced when the field is left. */
function OtherColour({ value, onChange, disabled, of, fault }: OtherColourProps) {
  const { t } = useTranslation('design');
  const [text, setText] = useState(value ?? '');
  useEffect(() => {
    setText((written) => (hexOf(written) === value ? written : (value ?? '')));
  }, [value]);
  const unknown = text.trim() !== '' && hexOf(text) === null;
  return (
    <div className={styles.other}>
      <TextInput
        label={
          <>
            {t('colour.other')}
            <span className="fr-hidden"> ({of})</span>
          </>
        }
        placeholder="#2f4a3c"
        maxLength={16}
        autoComplete="off"
        spellCheck={false}
        value={text}
        error={unknown ? t('colour.unknown') : fault}
        onChange={({ currentTarget }) => {
          const written = currentTarget.value;
          setText(written);
          const hex = hexOf(written);
          if (hex !== null) onChange(hex);
          else if (written.trim() === '') onChange(null);
        }}
        onBlur={() => setText(value ?? '')}
      />
      <Picker of={of} value={value} onChange={onChange} disabled={disabled} />
    </div>
  );
}

/** Shows the colour, and opens a picker for pointers and arrow keys. */
function Picker({ of, value, onChange, disabled }: Omit<OtherColourProps, 'fault'>) {
  const { t } = useTranslation('design');
  const picker = useOpened();
  return (
    <Popover {...picker} position="bottom-end" trapFocus withinPortal={false}>
      <Popover.Target>
        <button
          type="button"
          className={styles.pick}
          disabled={disabled}
          aria-label={t('colour.pick', { of })}
          onClick={() => picker.onChange(!picker.opened)}
        >
          <span style={value === null ? {} : { background: value }} />
          <IconColorPicker size={20} stroke={1.75} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('colour.pick', { of })}>
        <ColorPicker
          format="hex"
          size="lg"
          value={value ?? '#808080'}
          onChange={onChange}
          saturationLabel={t('colour.shade')}
          hueLabel={t('colour.hue')}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Chooses a picture of oneself and crops it to a square, of which people see the circle. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { ChooseAndCrop } from '../../events/picture/index.ts';

export interface ProfilePictureDialogProps {
  opened: boolean;
  onClose(): void;
  onCropped(file: File): void;
}

/** Hands over the cropped file and closes. The caller uploads it. */
export function ProfilePictureDialog({ opened, onClose, onCropped }: ProfilePictureDialogProps) {
  const { t } = useTranslation('profile');
  const { t: tc } = useTranslation('common');
  const [cropping, setCropping] = useState(false);
  const close = () => {
    setCropping(false);
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      size={560}
      title={t('picture.title')}
      close={tc('close')}
      closeOnClickOutside={!cropping}
    >
      <ChooseAndCrop
        shape="round"
        hint={t('picture.hint')}
        cropHint={t('picture.cutHint')}
        onCropping={setCropping}
        onCropped={({ file, address }) => {
          // The server's own picture is shown, not this one.
          URL.revokeObjectURL(address);
          onCropped(file);
          close();
        }}
      />
    </Dialog>
  );
}

/** Whether this browser can take part in video at all: some old ones and some inside other apps have no WebRTC. */
export const hasWebRtc = (): boolean => 'RTCPeerConnection' in window;

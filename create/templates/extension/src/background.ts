// A click on the extension's icon opens the side panel of the tab. The click also gives the panel access to this tab's page, and to
// no other (activeTab).
/// <reference types="chrome" />

chrome.action.onClicked.addListener(({ id: tabId }) => {
  if (tabId === undefined) return
  // Not awaited: a panel can be opened only while the click is being handled.
  void chrome.sidePanel.setOptions({ tabId, path: `panel.html?tab=${tabId}`, enabled: true })
  void chrome.sidePanel.open({ tabId })
})

// A click on the extension's icon opens the side panel of the tab. The click also allows the panel to read this tab's page (activeTab), and no
// other one.
/// <reference types="chrome" />

chrome.action.onClicked.addListener(({ id: tabId }) => {
  if (tabId === undefined) return
  // Neither is awaited: a panel opens only while the click is being handled.
  void chrome.sidePanel.setOptions({ tabId, path: `panel.html?tab=${tabId}`, enabled: true })
  void chrome.sidePanel.open({ tabId })
})

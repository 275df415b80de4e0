// Style sheets that are fetched with the script that imports them.
declare module '*.css'

import 'virtual:loggia-theme.css'

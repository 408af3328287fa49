Creator "by hand"
# a comment
graph
[
  directed 0
  node [ id 3 label "Ann & Bo" value 1 graphics [ x 1 y [ z 2 ] ] ]
  node
  [
    id 7
    label "C"
    value 0
  ]
  node [ id 1 label "D" ]
  edge [ source 7 target 3 weight 2.5 ]
  edge [ source 1 target 7 ]
  edge [ source 1 target 1 value 4 ]
]
